import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** What an index keeps ready, in the names of fields. */
const indexBody = z.object({
  id: z.string(),
  state: z.enum(['building', 'ready']),
  /** Fields whose values are found at once. */
  finds: z.array(z.string()),
  /** Fields the list is sorted by, as in `sort`. */
  sorts: z.array(z.string()),
  /** Fields that groups are counted by. */
  groups: z.array(z.string()),
  /** Fields that are read along. */
  reads: z.array(z.string()),
  since: z.string(),
  /** When it last made a list quicker, to the hour. */
  usedAt: z.string(),
  bytes: z.number().nullable(),
})

/** The parsed form. */
export type IndexBody = z.infer<typeof indexBody>

export const listIndexes = endpoint({
  method: 'GET',
  path: '/api/collections/:collection/indexes',
  summary: 'List the indexes the server created for slow lists, and those it is building.',
  params: z.object({ collection: z.string() }),
  response: z.object({
    items: z.array(indexBody),
    /** From so many records on they are made. */
    fromRecords: z.number(),
    /** Most there can be. */
    most: z.number(),
  }),
  problems: ['collection-not-found'],
})
