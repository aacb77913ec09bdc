import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** From and to in UTF-16 units of the text beside it. */
const textMarks = z.array(z.array(z.number()).length(2))

/** A record in which something was found: what names it, and a piece of the first other text that holds it. */
export const searchHit = z.object({
  id: z.string(),
  /** Empty where nothing names it. */
  title: z.string(),
  titleMarks: textMarks,
  snippet: z.object({ field: z.string(), label: z.string(), text: z.string(), marks: textMarks }).nullable(),
})

/** The parsed form. */
export type SearchHit = z.infer<typeof searchHit>

/** What was found in one collection. */
export const searchGroup = z.object({
  collection: z.object({ id: z.string(), name: z.string(), label: z.string() }),
  items: z.array(searchHit),
  hasMore: z.boolean(),
})

/** The parsed form. */
export type SearchGroup = z.infer<typeof searchGroup>

export const searchEverything = endpoint({
  method: 'GET',
  path: '/api/search',
  cost: 'high',
  summary: 'Search all collections you can read for records that contain all words. Title matches come first.',
  query: z.strictObject({
    q: z.string().max(500),
    /** Most records of each collection. */
    limit: z
      .string()
      .regex(/^\d{1,2}$/, 'must be a whole number')
      .transform(Number)
      .pipe(z.number().min(1).max(20))
      .default(5),
  }),
  response: z.object({
    groups: z.array(searchGroup),
    /** False where a collection took too long and was left out. */
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
    /** `none`: the database has no index of parts of words, so searches read the records. */
    state: z.enum(['whole', 'building', 'none']),
    /** How much of the records it holds, from 0 to 1. */
    done: z.number(),
  }),
  problems: ['collection-not-found'],
})
