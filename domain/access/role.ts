import type { PolicyId, RoleId } from '../shared/ids.ts'

/** A named set of policies. A user's roles add up. */
export type Role = {
  readonly id: RoleId
  readonly name: string
  /** Who it is for, in the owner's words. */
  readonly about: string
  readonly policies: readonly PolicyId[]
  /** Counts up with every change. */
  readonly version: number
}

/** The role with all permissions. It cannot be changed, so that mistakes can always be fixed. */
export const OWNER: RoleId = 'owner'

/** Most roles of a workspace, and most policies: lists of them are read by people. */
export const MAX_ROLES = 200

/** Most roles one user may have. */
export const MAX_ROLES_OF_A_USER = 20
