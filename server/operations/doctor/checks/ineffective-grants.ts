import { faultyGrants } from '#server/access/rights/faulty-grants.ts'
import type { Check } from '#server/operations/doctor/check.ts'

/** Every saved grant counts as it was written. */
export const checkGrants: Check = {
  name: 'Conditions of policies read nothing but values and ids',
  isNote: true,
  run: ({ database, definitions }) => faultyGrants(database.read, definitions.byId),
}
