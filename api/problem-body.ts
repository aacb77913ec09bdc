import { z } from 'zod'

/** An error on the wire, `application/problem+json` (RFC 9457) with our code, parts and request id, and what else is told. */
export const problemBody = z.looseObject({
  code: z.string(),
  title: z.string(),
  status: z.number(),
  detail: z.string(),
  errors: z
    .array(z.object({ path: z.string(), code: z.string(), message: z.string(), position: z.number().optional() }))
    .optional(),
  requestId: z.string(),
})

/** The parsed form. */
export type ProblemBody = z.infer<typeof problemBody> & { readonly [extra: string]: unknown }
