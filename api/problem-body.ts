import { z } from 'zod'

/** An error response, `application/problem+json` (RFC 9457), with a code, part errors and the request id. */
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
