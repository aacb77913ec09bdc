/** Counts up when the welcome tour has something new to show; who met an older one is offered it again. */
export const FIRST_STEPS_VERSION = 1
