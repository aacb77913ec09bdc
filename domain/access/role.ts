import type { PolicyId, RoleId } from '../shared/ids.ts'

/** A named set of policies. Whoever has several roles holds what any of them gives. */
export type Role = {
  readonly id: RoleId
  readonly name: string
  /** Who it is for, in the owner's words. */
  readonly about: string
  readonly policies: readonly PolicyId[]
  /** Counts up with every change. */
  readonly version: number
}

/** The role that holds everything, always, whatever is written down: somebody must be able to put things right. */
export const OWNER: RoleId = 'owner'

/** Most roles of a workspace, and most policies: lists of them are read by people. */
export const MAX_ROLES = 200

/** Most roles one user may have. */
export const MAX_ROLES_OF_A_USER = 20
