/** A value that never shows itself: printed, logged or turned into JSON it is nothing. */
export type Secret = { readonly reveal: () => string }

/** Hides a text; only `reveal` gives it back. */
export const secret = (text: string): Secret => ({ reveal: () => text })
