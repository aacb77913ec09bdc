import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { personBody } from './records.ts'
import { wholeNumber } from './whole-number.ts'

export const listPeople = endpoint({
  method: 'GET',
  path: '/api/people',
  summary: 'Who can be chosen in a field of people, by name: users who are not disabled, and nothing of them but that.',
  query: z.strictObject({
    /** Part of a name. */
    search: z.string().max(200).optional(),
    page: wholeNumber.pipe(z.number().min(1)).default(1),
    perPage: wholeNumber.pipe(z.number().min(1).max(500)).default(50),
  }),
  answer: z.object({
    items: z.array(personBody),
    page: z.number(),
    perPage: z.number(),
    hasMore: z.boolean(),
    total: z.number(),
  }),
})
