import type { CollectionId, ExampleId, FieldId, RecordId, RoleId, UserId } from '../shared/ids.ts'
import type { Permission } from './permission.ts'

/** The subject of an example: a user with all their roles, or a holder of exactly one role. */
export type ExampleWho = { readonly user: UserId } | { readonly role: RoleId }

/**
 * A sentence that must stay true: “Ana may not read Salary of People”. Without a record, “may” means in some records at
 * least, and “may not” in none.
 */
export type Example = {
  readonly id: ExampleId
  readonly who: ExampleWho
  readonly may: boolean
  readonly permission: Permission
  /** null: the workspace as a whole. */
  readonly collection: CollectionId | null
  readonly field: FieldId | null
  readonly record: RecordId | null
}
