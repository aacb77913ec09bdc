import type { UserId } from '#domain/shared/ids.ts'
import { addressKey } from '#server/sessions/try-counter.ts'
import type { FactorNeeds } from './factor-needs.ts'

/** Begins a try to prove something of this account: every factor and the step-up password count together. */
export const beginFactorTry = (
  { factorTries }: Pick<FactorNeeds, 'factorTries'>,
  userId: UserId,
  address: string,
): { readonly succeeded: () => void } =>
  factorTries.begin({ pair: `${userId} ${addressKey(address)}`, account: userId })
