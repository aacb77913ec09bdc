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
 * Stands in for `zod` in the browser (vite.config.ts puts it there). The endpoints of `api/` are declared with it, and
 * the browser needs of them the method, the path and, while compiling, the types; the server alone judges values. The
 * real one would be a sixth of everything that is fetched before the sign-in page can be used.
 */
// Its type is the real one's, so that whatever compiles against that compiles against this.
export const z = silentSchema as typeof zod
