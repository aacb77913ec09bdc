export type Secret = { readonly reveal: () => string }

export const secret = (text: string): Secret => ({ reveal: () => text })
