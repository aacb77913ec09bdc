import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** Start and end offsets in UTF-16 code units. */
const textMarks = z.array(z.array(z.number()).length(2))

/** Record with its title, and an excerpt from the first matching text other than the title. */
export const searchHit = z.object({
  id: z.string(),
  /** Empty if the record has no title. */
  title: z.string(),
  titleMarks: textMarks,
  snippet: z.object({ field: z.string(), label: z.string(), text: z.string(), marks: textMarks }).nullable(),
})

export type SearchHit = z.infer<typeof searchHit>

export const searchGroup = z.object({
  collection: z.object({ id: z.string(), name: z.string(), label: z.string() }),
  items: z.array(searchHit),
  hasMore: z.boolean(),
})

export type SearchGroup = z.infer<typeof searchGroup>

export const searchEverything = endpoint({
  method: 'GET',
  path: '/api/search',
  cost: 'high',
  summary: 'Search all collections you can read for records that contain all words. Title matches come first.',
  query: z.strictObject({
    q: z.string().max(500),
    limit: z
      .string()
      .regex(/^\d{1,2}$/, 'must be a whole number')
      .transform(Number)
      .pipe(z.number().min(1).max(20))
      .default(5),
  }),
  response: z.object({
    groups: z.array(searchGroup),
    /** False if a collection was skipped because it timed out. */
    isComplete: z.boolean(),
  }),
  problems: ['invalid-search'],
})

export const readSearchIndex = endpoint({
  method: 'GET',
  path: '/api/collections/:collection/search-index',
  summary:
    'Get the progress of a collection’s search index. Until it is complete, searches also scan records that aren’t indexed yet.',
  params: z.object({ collection: z.string() }),
  response: z.object({
    /** `none`: the database has no full-text search, so searches scan the records. */
    state: z.enum(['whole', 'building', 'none']),
    /** Fraction of records indexed, from 0 to 1. */
    done: z.number(),
  }),
  problems: ['collection-not-found'],
})
