import type { Permission } from '#domain/access/permission.ts'
import type { DropdownOption } from '#web/ui/dropdown/option.tsx'
import { MATRIX_ACTIONS, WORKSPACE_ACTIONS } from '#web/features/roles/matrix/matrix.ts'

export type AccessQuestion = {
  /** `user:<id>` or `role:<id>`. */
  readonly who: string | null
  readonly permission: Permission
  readonly collection: string | null
  readonly record: DropdownOption | null
  readonly field: string | null
}

export const EMPTY_QUESTION: AccessQuestion = {
  who: null,
  permission: 'records:read',
  collection: null,
  record: null,
  field: null,
}

const ALL_ACTIONS = [...MATRIX_ACTIONS, ...WORKSPACE_ACTIONS]

export const PERMISSION_OPTIONS = ALL_ACTIONS.map(({ permission, head }) => ({ value: permission, label: head }))

export const permissionOf = (value: string): Permission =>
  ALL_ACTIONS.find(({ permission }) => permission === value)?.permission ?? 'records:read'
