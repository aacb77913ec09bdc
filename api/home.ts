import { z } from 'zod'
import { OPTION_COLORS } from '#domain/fields/field.ts'
import { endpoint } from './endpoint.ts'
import { MAX_FAVORITES } from '#domain/collections/favorite.ts'

export const countRecords = endpoint({
  method: 'GET',
  path: '/api/home/counts',
  summary:
    'Get cached record counts of the collections you can read. Missing counts are still being computed; try again later.',
  response: z.object({ items: z.array(z.object({ collection: z.string(), total: z.number() })) }),
})

export const listTransitionable = endpoint({
  method: 'GET',
  path: '/api/home/moves',
  summary:
    'List the records that need your action, most recent status change first: records whose status has a transition for one of your roles, and records that reference you and whose status you can change. Also returns a filter per collection that matches all of them.',
  response: z.object({
    items: z.array(
      z.object({
        collection: z.string(),
        record: z.string(),
        /** Empty if the record has no title that the actor can see. */
        title: z.string(),
        state: z.object({ name: z.string(), color: z.enum(OPTION_COLORS) }),
        /** When the record entered this status. */
        since: z.string(),
      }),
    ),
    lists: z.array(
      z.object({
        collection: z.string(),
        filter: z.string(),
        /** null if the filter also matches records outside the to-do list. */
        total: z.number().nullable(),
        totalIs: z.enum(['exact', 'atLeast']).optional(),
      }),
    ),
  }),
})

export type TransitionableBody = z.infer<typeof listTransitionable.response>['items'][number]

const favoriteBody = z.object({
  id: z.string(),
  type: z.enum(['collection', 'view', 'record']),
  collection: z.string(),
  /** ID of the collection, view or record. */
  target: z.string(),
  name: z.string(),
})

export type FavoriteBody = z.infer<typeof favoriteBody>

const listBody = z.object({ items: z.array(favoriteBody) })

export const listFavorites = endpoint({
  method: 'GET',
  path: '/api/favourites',
  summary: 'List your favorites, in order. Deleted and inaccessible items are left out.',
  response: listBody,
})

export const addFavorite = endpoint({
  method: 'POST',
  path: '/api/favourites',
  summary: 'Add a collection, view or record to your favorites (idempotent).',
  body: z.strictObject({
    /** Name or ID. */
    collection: z.string().max(120),
    view: z.string().max(120).optional(),
    record: z.string().max(120).optional(),
    /** Zero-based; defaults to the last position. */
    position: z.number().int().min(0).optional(),
  }),
  response: listBody,
  status: 201,
  problems: ['collection-not-found', 'not-found', 'definition-invalid'],
})

export const removeFavorite = endpoint({
  method: 'DELETE',
  path: '/api/favourites/:favourite',
  summary: 'Remove a favorite.',
  params: z.object({ favourite: z.string() }),
  response: listBody,
})

export const reorderFavorites = endpoint({
  method: 'PUT',
  path: '/api/favourites',
  summary: 'Reorder your favorites; those not listed come last.',
  body: z.strictObject({ ids: z.array(z.string().max(120)).max(MAX_FAVORITES) }),
  response: listBody,
})
