import { z } from 'zod'
import { endpoint } from './endpoint.ts'

const fieldParams = z.object({ collection: z.string(), field: z.string() })

const path = '/api/collections/:collection/fields/:field/recalculation'

export const readRecalculation = endpoint({
  method: 'GET',
  path,
  summary: 'Get the progress of calculating a lookup, count, rollup or formula of linked records.',
  params: fieldParams,
  response: z.object({
    state: z.enum(['done', 'running', 'canceled']),
    /** Records calculated so far; null if none are being calculated, or if you can’t read all records. */
    done: z.number().nullable(),
    total: z.number().nullable(),
  }),
  problems: ['collection-not-found', 'not-found'],
})

export const startRecalculation = endpoint({
  method: 'POST',
  path,
  summary:
    'Recalculate all values of a lookup, count, rollup or formula of linked records, for example after canceling.',
  params: fieldParams,
  response: 'empty',
  problems: ['collection-not-found', 'not-found'],
})

export const cancelRecalculation = endpoint({
  method: 'DELETE',
  path,
  summary:
    'Stop calculating a lookup, count, rollup or formula of linked records. Lists report it as being recalculated until you restart it.',
  params: fieldParams,
  response: 'empty',
  problems: ['collection-not-found', 'not-found'],
})
