import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** Widths, in pixels, in which pictures are made smaller (contract). */
export const PICTURE_WIDTHS = [96, 240, 640, 1600] as const

export const readFile = endpoint({
  method: 'GET',
  path: '/api/files/:file',
  summary: 'A finished file: ranges, ETag, smaller pictures with `w`. Signed addresses need no other credentials.',
  params: z.object({ file: z.string() }),
  query: z.strictObject({
    w: z.enum(PICTURE_WIDTHS.map(String)).optional(),
    download: z.string().optional(),
    expires: z.string().optional(),
    signature: z.string().optional(),
  }),
  answer: 'raw',
  problems: ['not-found', 'range-not-satisfiable'],
})
