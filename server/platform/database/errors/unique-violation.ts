import type { FieldId } from '#domain/shared/ids.ts'

export class UniqueViolation extends Error {
  readonly field: FieldId

  constructor(field: FieldId, cause: unknown) {
    super(`Duplicate value in unique field ${field}.`, { cause })
    this.name = 'UniqueViolation'
    this.field = field
  }
}

/** The field of a violation: SQLite names the column (`c_….f_<field>`), PostgreSQL the index (`u_<field>`). */
export const uniqueFieldIn = (text: string): FieldId | undefined => /(?:\.f_|^u_)([0-9a-z]{26})$/.exec(text)?.[1]
