import { Checkbox, TextInput } from '@mantine/core'
import { MAX_PROFILE_TEXT, MAX_PROFILE_TEXTS, type ProfileField } from '#domain/access/profile.ts'
import { ChoiceSet } from '#web/kit/choice-set.tsx'
import { WithHelp } from '#web/fields/setting-help/with-help.tsx'
import { TagsInput } from '#web/kit/dropdown/tags-input.tsx'
import { t } from '#web/language/t.ts'
import { noteOf, type Notes } from './user-rights.ts'
import type { RoleToGive } from './users-queries.ts'

type RoleChecksProps = {
  readonly roles: readonly RoleToGive[]
  readonly chosen: readonly string[]
  readonly onChange: (roles: string[]) => void
}

/** Which roles somebody has. They hold what any of them gives. */
export function RoleChecks({ roles, chosen, onChange }: RoleChecksProps) {
  const toggled = (id: string, isChosen: boolean) =>
    roles.map((role) => role.id).filter((each) => (each === id ? isChosen : chosen.includes(each)))
  return (
    <WithHelp setting="person-roles">
      <ChoiceSet legend={t('Roles')}>
        {roles.map(({ id, name, about, mayGive }) => (
          <Checkbox
            key={id}
            label={name}
            description={about}
            disabled={!mayGive}
            checked={chosen.includes(id)}
            onChange={({ currentTarget }) => onChange(toggled(id, currentTarget.checked))}
          />
        ))}
      </ChoiceSet>
    </WithHelp>
  )
}

type NotesInputsProps = {
  readonly fields: readonly ProfileField[]
  readonly notes: Notes
  readonly onChange: (notes: Notes) => void
}

/** What the workspace notes about somebody, which conditions of policies may read. */
export function NotesInputs({ fields, notes, onChange }: NotesInputsProps) {
  return fields.map(({ name, label, many }) => {
    const value = noteOf(notes, name)
    const note = (text: string | string[]) => onChange({ ...notes, [name]: text })
    return (
      <WithHelp key={name} setting="person-note">
        {many ? (
          <TagsInput
            label={label}
            description={t('Several are possible; press Enter after each')}
            maxTags={MAX_PROFILE_TEXTS}
            maxLength={MAX_PROFILE_TEXT}
            value={typeof value === 'string' ? [value].filter((text) => text !== '') : value}
            onChange={note}
          />
        ) : (
          <TextInput
            label={label}
            autoComplete="off"
            maxLength={MAX_PROFILE_TEXT}
            value={typeof value === 'string' ? value : (value[0] ?? '')}
            onChange={({ currentTarget }) => note(currentTarget.value)}
          />
        )}
      </WithHelp>
    )
  })
}
