import * as runtime from 'react/jsx-runtime';

// Published as CommonJS, whose members the bundler calls through their object, thousands of times. The build takes these instead.
export const { Fragment, jsx, jsxs } = runtime;
