import type { TourName } from '#web/client/tour-wish.ts'
import type { TourDefinition } from '#web/kit/tour/tour-machine.ts'
import { accountTours } from './account-tours.ts'
import { welcomeTour, ownerTour } from './offered-tours.ts'
import { recordTours } from './record-tours.ts'
import { settingsTours } from './settings-tours.ts'

/** Every tour, complete by type. */
export const TOURS: { readonly [Name in TourName]: TourDefinition } = {
  'first-steps': welcomeTour,
  owner: ownerTour,
  ...recordTours,
  ...settingsTours,
  ...accountTours,
}
