import { TextInput } from '@mantine/core'
import { MAX_ATTRIBUTE_LENGTH, MAX_ATTRIBUTE_VALUES, type UserAttribute } from '#domain/access/user.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { TagsInput } from '#web/ui/dropdown/tags-input.tsx'
import { t } from '#web/i18n/t.ts'
import { attributeText, type UserAttributes } from './user-access.ts'

type AttributeInputsProps = {
  readonly fields: readonly UserAttribute[]
  readonly notes: UserAttributes
  readonly onChange: (notes: UserAttributes) => void
}

/** Attributes are read by conditions of policies. */
export function AttributeInputs({ fields, notes, onChange }: AttributeInputsProps) {
  return fields.map(({ name, label, many }) => {
    const value = attributeText(notes, name)
    const note = (text: string | string[]) => onChange({ ...notes, [name]: text })
    return (
      <WithHelp key={name} setting="person-note">
        {many ? (
          <TagsInput
            label={label}
            description={t('Press Enter after each value')}
            maxTags={MAX_ATTRIBUTE_VALUES}
            maxLength={MAX_ATTRIBUTE_LENGTH}
            value={typeof value === 'string' ? [value].filter((text) => text !== '') : value}
            onChange={note}
          />
        ) : (
          <TextInput
            label={label}
            autoComplete="off"
            maxLength={MAX_ATTRIBUTE_LENGTH}
            value={typeof value === 'string' ? value : (value[0] ?? '')}
            onChange={({ currentTarget }) => note(currentTarget.value)}
          />
        )}
      </WithHelp>
    )
  })
}
