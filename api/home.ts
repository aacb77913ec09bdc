import { z } from 'zod'
import { OPTION_COLORS } from '#domain/fields/field.ts'
import { endpoint } from './endpoint.ts'

export const countRecords = endpoint({
  method: 'GET',
  path: '/api/home/counts',
  summary:
    'Get cached record counts of the collections you can read. Missing counts are being computed; request them again.',
  response: z.object({ items: z.array(z.object({ collection: z.string(), total: z.number() })) }),
})

export const listTransitionable = endpoint({
  method: 'GET',
  path: '/api/home/moves',
  summary: 'List the records whose status you can change, newest first, with filters to find all of them.',
  response: z.object({
    items: z.array(
      z.object({
        collection: z.string(),
        record: z.string(),
        /** Empty where nothing names it to this actor. */
        title: z.string(),
        state: z.object({ name: z.string(), color: z.enum(OPTION_COLORS) }),
        updatedAt: z.string(),
      }),
    ),
    lists: z.array(
      z.object({
        collection: z.string(),
        /** The filter of a list in which these records are. */
        filter: z.string(),
        /** How many they are; null where the list has others as well. */
        total: z.number().nullable(),
        totalIs: z.enum(['exact', 'atLeast']).optional(),
      }),
    ),
  }),
})

/** A record the user can move to another status, as listed on the home page. */
export type TransitionableBody = z.infer<typeof listTransitionable.response>['items'][number]
