import * as api from '#api/system.ts'
import type { Clock } from '#domain/shared/time.ts'
import type { Database } from '#server/platform/database/database.ts'
import { canByHand, signedInByHand, actingUser } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import { areToursOn, listTourRows, saveTourRow, storeToursOn } from './store.ts'

export type TourDeps = { readonly database: Database; readonly clock: Clock }

export const tourRoutes = ({ database, clock }: TourDeps): readonly Route[] => [
  route(api.listTours, signedInByHand, async ({ actor }) => ({
    items: await listTourRows(database.read, actingUser(actor).userId),
    isOn: await areToursOn(database.read),
  })),
  route(api.changeTours, canByHand('workspace:manage'), async ({ body }) => {
    await database.write(({ db }) => storeToursOn(db, body.isOn))
    return body
  }),
  route(api.saveTour, signedInByHand, async ({ actor, body }) => {
    const { userId } = actingUser(actor)
    await database.write(({ db }) => saveTourRow(db, userId, body, clock().toISOString()))
  }),
]
