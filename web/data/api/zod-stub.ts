import type { z as zod } from 'zod'

const PARSING = ['parse', 'safeParse', 'parseAsync', 'safeParseAsync', 'encode', 'decode']

/** A schema stub: accessing any property or calling it returns the stub itself. */
const silentSchema: unknown = new Proxy(() => undefined, {
  get(_, name) {
    // Without this check, `await` would treat the stub as a promise.
    if (typeof name === 'symbol' || name === 'then') return undefined
    if (PARSING.includes(name)) throw new TypeError('Schemas are types in the browser; the server judges values.')
    return silentSchema
  },
  apply: () => silentSchema,
})

/**
 * Replaces `zod` in the browser (see vite.config.ts), which only needs each endpoint's method, path and static types
 * because the server validates. The real library would be a sixth of the sign-in page's code.
 */
// Typed as the real library, so that endpoint modules compile.
export const z = silentSchema as typeof zod
