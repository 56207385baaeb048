interface Flight<Answer> {
  readonly answer: Promise<Answer>;
  readonly controller: AbortController;
  waiting: number;
}

interface Options {
  readonly signal?: AbortSignal | undefined;
}

/** Sends a request; concurrent requests with the same key share one answer. */
export type AskShared<Answer> = (
  key: string,
  run: (options: { readonly signal: AbortSignal }) => Promise<Answer>,
  options?: Options,
) => Promise<Answer>;

export function createSharedFlights<Answer>(): AskShared<Answer> {
  const flights = new Map<string, Flight<Answer>>();

  function begin(key: string, run: (options: { readonly signal: AbortSignal }) => Promise<Answer>): Flight<Answer> {
    const controller = new AbortController();
    const answer = run({ signal: controller.signal });
    const flight: Flight<Answer> = { answer, controller, waiting: 0 };
    const land = () => {
      if (flights.get(key) === flight) flights.delete(key);
    };
    answer.then(land, land);
    flights.set(key, flight);
    return flight;
  }

  /** One caller of a shared request; it is canceled when its last caller is gone. */
  function join(flight: Flight<Answer>, signal: AbortSignal | undefined): Promise<Answer> {
    flight.waiting++;
    return new Promise((resolve, reject) => {
      const leave = () => {
        flight.waiting--;
        if (flight.waiting === 0) callOff(flight, signal?.reason);
        reject(signal?.reason);
      };
      if (signal?.aborted === true) return leave();
      signal?.addEventListener('abort', leave, { once: true });
      const settled = () => signal?.removeEventListener('abort', leave);
      flight.answer.then(resolve, reject).finally(settled);
    });
  }

  function callOff(flight: Flight<Answer>, reason: unknown): void {
    // A later caller must not join an answer that will not arrive.
    for (const [key, known] of flights) if (known === flight) flights.delete(key);
    flight.controller.abort(reason);
  }

  return (key, run, { signal } = {}) => join(flights.get(key) ?? begin(key, run), signal);
}
