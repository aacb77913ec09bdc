import { z } from 'zod'
import { MAX_FAVORITES } from '#domain/favorites/favorite.ts'
import { endpoint } from './endpoint.ts'

/** A favourite as whoever keeps it reads it. */
const favouriteBody = z.object({
  id: z.string(),
  type: z.enum(['collection', 'view', 'record']),
  /** The collection itself, or the one it is of. */
  collection: z.string(),
  /** The id of the view or of the record; of a collection its own. */
  target: z.string(),
  /** What it is called now. */
  name: z.string(),
})

/** The parsed form. */
export type FavoriteBody = z.infer<typeof favouriteBody>

const listBody = z.object({ items: z.array(favouriteBody) })

export const listFavourites = endpoint({
  method: 'GET',
  path: '/api/favourites',
  summary: 'What this user keeps at hand, in their order, without what is gone or out of their sight.',
  answer: listBody,
})

export const addFavourite = endpoint({
  method: 'POST',
  path: '/api/favourites',
  summary: 'Keep a collection at hand, or a view or a record of it. Once more changes nothing.',
  body: z.strictObject({
    /** By name or id. */
    collection: z.string().max(120),
    view: z.string().max(120).optional(),
    record: z.string().max(120).optional(),
    /** Its place among the others, 0 for the first; absent: the last. */
    position: z.number().int().min(0).optional(),
  }),
  answer: listBody,
  status: 201,
  problems: ['collection-not-found', 'not-found', 'definition-invalid'],
})

export const removeFavourite = endpoint({
  method: 'DELETE',
  path: '/api/favourites/:favourite',
  summary: 'Keep it at hand no longer.',
  params: z.object({ favourite: z.string() }),
  answer: listBody,
})

export const orderFavourites = endpoint({
  method: 'PUT',
  path: '/api/favourites',
  summary: 'Put the favourites in this order; those that are not named stay behind.',
  body: z.strictObject({ ids: z.array(z.string().max(120)).max(MAX_FAVORITES) }),
  answer: listBody,
})
