/** What every record has besides the fields of its collection; names no field may take. */
export const SYSTEM_FIELDS = ['id', 'createdAt', 'createdBy', 'updatedAt', 'updatedBy'] as const

/** Those that hold a user. */
export const PERSON_FIELDS = ['createdBy', 'updatedBy'] as const

/** Whether a name is that of a system field that holds a user. */
export const isPersonField = (name: string): name is (typeof PERSON_FIELDS)[number] =>
  PERSON_FIELDS.some((known) => known === name)

/** The name of a system field. */
export type SystemField = (typeof SYSTEM_FIELDS)[number]

/** What people call them. */
export const SYSTEM_LABELS: { readonly [field in SystemField]: string } = {
  id: 'ID',
  createdAt: 'Created',
  createdBy: 'Created by',
  updatedAt: 'Updated',
  updatedBy: 'Updated by',
}

/** Whether a name is a system field's. */
export const isSystemField = (name: string): name is SystemField => SYSTEM_FIELDS.some((known) => known === name)
