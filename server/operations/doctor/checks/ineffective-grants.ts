import { faultyGrants } from '#server/access/rights/faulty-grants.ts'
import type { Check } from '#server/operations/doctor/check.ts'

/** Every saved grant counts as it was written. */
export const checkGrants: Check = {
  name: 'Policy conditions use only values and IDs',
  isNote: true,
  run: ({ database, definitions }) => faultyGrants(database.read, definitions.byId),
}
