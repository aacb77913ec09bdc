/** Tells the time. Injected everywhere, so that tests can move it. */
export type Clock = () => Date
