import type { z as zod } from 'zod'

const PARSING = ['parse', 'safeParse', 'parseAsync', 'safeParseAsync', 'encode', 'decode']

/** Every property and call of the stub returns the stub. */
const silentSchema: unknown = new Proxy(() => undefined, {
  get(_, name) {
    // An object with a `then` method would be awaited.
    if (typeof name === 'symbol' || name === 'then') return undefined
    if (PARSING.includes(name)) throw new TypeError('Schemas are types in the browser; the server judges values.')
    return silentSchema
  },
  apply: () => silentSchema,
})

/**
 * Replaces `zod` in the browser (see vite.config.ts). The browser needs only method, path and compile-time types of
 * the endpoints; the server validates. The real library would be a sixth of the sign-in page's code.
 */
// Has the type of the real one, so that endpoint modules compile against it.
export const z = silentSchema as typeof zod
