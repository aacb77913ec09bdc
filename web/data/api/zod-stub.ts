import type { z as zod } from 'zod'

const PARSING = ['parse', 'safeParse', 'parseAsync', 'safeParseAsync', 'encode', 'decode']

/** Anything one can ask of a schema while declaring it answers the same silent schema. */
const silentSchema: unknown = new Proxy(() => undefined, {
  get(_, name) {
    // A value that looks like a promise would be waited for.
    if (typeof name === 'symbol' || name === 'then') return undefined
    if (PARSING.includes(name)) throw new TypeError('Schemas are types in the browser; the server judges values.')
    return silentSchema
  },
  apply: () => silentSchema,
})

/**
 * Replaces `zod` in the browser (see vite.config.ts). The browser needs only method, path and, at compile time, types
 * of the endpoints; only the server validates. The real library would be a sixth of the code of the sign-in page.
 */
// Its type is the real one's, so that whatever compiles against that compiles against this.
export const z = silentSchema as typeof zod
