import fc from 'fast-check';

// A run of the tests says the same twice: tests of properties take their values from one seed. `MANAGER_PROPERTY_SEED`
// has another one, or `random`.
const asked = process.env.MANAGER_PROPERTY_SEED ?? '1';
if (asked !== 'random') fc.configureGlobal({ seed: Number.parseInt(asked, 10) });
