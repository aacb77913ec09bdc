import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** Index on a collection, with its fields grouped by use. */
const indexBody = z.object({
  id: z.string(),
  state: z.enum(['building', 'ready']),
  finds: z.array(z.string()),
  sorts: z.array(z.string()),
  groups: z.array(z.string()),
  reads: z.array(z.string()),
  since: z.string(),
  /** Accurate to within an hour. */
  usedAt: z.string(),
  bytes: z.number().nullable(),
})

export type IndexBody = z.infer<typeof indexBody>

export const listIndexes = endpoint({
  method: 'GET',
  path: '/api/collections/:collection/indexes',
  summary: 'List the indexes that the server created or is building to speed up slow lists.',
  params: z.object({ collection: z.string() }),
  response: z.object({
    items: z.array(indexBody),
    /** Collections with fewer records get no indexes. */
    fromRecords: z.number(),
    most: z.number(),
  }),
  problems: ['collection-not-found'],
})
