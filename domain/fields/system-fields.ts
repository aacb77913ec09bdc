/** Properties of every record; fields can't have these names. */
export const SYSTEM_FIELDS = ['id', 'createdAt', 'createdBy', 'updatedAt', 'updatedBy'] as const

export const PERSON_FIELDS = ['createdBy', 'updatedBy'] as const

export const isPersonField = (name: string): name is (typeof PERSON_FIELDS)[number] =>
  PERSON_FIELDS.some((known) => known === name)

export type SystemField = (typeof SYSTEM_FIELDS)[number]

export const SYSTEM_LABELS: { readonly [field in SystemField]: string } = {
  id: 'ID',
  createdAt: 'Created',
  createdBy: 'Created by',
  updatedAt: 'Updated',
  updatedBy: 'Updated by',
}

export const isSystemField = (name: string): name is SystemField => SYSTEM_FIELDS.some((known) => known === name)
