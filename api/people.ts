import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { personBody } from './records.ts'
import { wholeNumber } from './whole-number.ts'

export const listPeople = endpoint({
  method: 'GET',
  path: '/api/people',
  summary:
    'List the users that can be selected in a user field, by name. Deactivated users are left out; only IDs and names are returned.',
  query: z.strictObject({
    /** Part of a name. */
    search: z.string().max(200).optional(),
    page: wholeNumber.pipe(z.number().min(1)).default(1),
    perPage: wholeNumber.pipe(z.number().min(1).max(500)).default(50),
  }),
  response: z.object({
    items: z.array(personBody),
    page: z.number(),
    perPage: z.number(),
    hasMore: z.boolean(),
    total: z.number(),
  }),
})

/** Longest text that is looked up as a person, in characters. */
export const MAX_PERSON_TEXT = 320

/** Most texts that one request looks up. */
export const MAX_PERSON_TEXTS = 500

export const findPeople = endpoint({
  method: 'POST',
  path: '/api/people/find',
  summary:
    'Find the people that texts name, as imports do: by id, then by email, then by a display name that only one person has.',
  body: z.strictObject({ texts: z.array(z.string().max(MAX_PERSON_TEXT)).min(1).max(MAX_PERSON_TEXTS) }),
  response: z.object({
    /** One for each text, in their order. */
    items: z.array(
      z.object({
        /** Null: there is no such person, or they are disabled. */
        person: personBody.nullable(),
        /** Several people have this display name, disabled ones included. */
        isAmbiguous: z.boolean(),
      }),
    ),
  }),
})
