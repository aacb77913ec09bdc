import type { TourName } from '#web/data/storage/pending-tour.ts'
import type { TourDefinition } from '#web/ui/tour/tour-machine.ts'
import { accountTours } from './account-tours.ts'
import { welcomeTour, ownerTour } from './welcome-tours.ts'
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
