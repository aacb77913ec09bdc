import type { PersonBody } from '#api/records.ts'
import { IconUser } from '#web/ui/icons/start.ts'
import { t } from '#web/i18n/t.ts'
import { EDITED_IN_CELLS, type KindTraits } from './kind-traits.ts'
import { idsToSend, printNames } from './relation.ts'

const isPerson = (value: unknown): value is PersonBody =>
  typeof value === 'object' && value !== null && 'id' in value && 'name' in value

function peopleIn(value: unknown): readonly PersonBody[] {
  if (typeof value === 'string') return [{ id: value, name: '' }]
  return isPerson(value) ? [value] : []
}

const readPeople = (value: unknown): readonly PersonBody[] =>
  Array.isArray(value) ? value.flatMap(peopleIn) : peopleIn(value)

export const userTraits: KindTraits<'user'> = {
  ...EDITED_IN_CELLS,
  label: t('People'),
  hint: t('One or more people in this workspace'),
  Icon: IconUser,
  read: readPeople,
  toWire: (value, { options }) => idsToSend(readPeople(value), options.many),
  copyText: (value, { options }) =>
    printNames(
      readPeople(value).map(({ name }) => name),
      options.many,
    ),
}
