import { Checkbox, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { FieldInput } from '#web/field-kinds/field-input.tsx'
import { t } from '#web/i18n/t.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { canBeRequired, canChooseUnique, canHaveDefault, type FieldDraft, fieldOfDraft } from './field-draft.ts'

type SettingProps = {
  readonly draft: FieldDraft
  readonly change: (part: Partial<FieldDraft>) => void
  readonly errorAt: (path: string) => string | undefined
}

type AdvancedFieldSettingsProps = SettingProps & {
  readonly collection: TypedCollection
  readonly children?: ReactNode
}

/** Paths of these settings in validation errors. */
const PARTS = ['required', 'unique', 'default', 'name']
const OPTIONS = ['options.min', 'options.max', 'options.pattern']

export function AdvancedFieldSettings({ draft, change, errorAt, collection, children }: AdvancedFieldSettingsProps) {
  const { kind } = draft
  const parts = children ? [...PARTS, ...OPTIONS] : PARTS
  const isAtFault = parts.some((part) => errorAt(part) !== undefined)
  return (
    <details className="field-advanced" open={isAtFault || undefined}>
      <summary>{t('Advanced')}</summary>
      <div>
        {canBeRequired(kind) && (
          <WithHelp setting="field-required" isDescribed>
            <Checkbox
              label={t('Required')}
              description={t('Records can’t be saved without a value')}
              checked={draft.required}
              onChange={({ currentTarget }) => change({ required: currentTarget.checked })}
              error={errorAt('required')}
            />
          </WithHelp>
        )}
        {kind !== 'relation' && <UniqueSetting draft={draft} change={change} errorAt={errorAt} />}
        {children}
        {canHaveDefault(kind) && (
          <WithHelp setting="field-default" isDescribed>
            <FieldInput
              key={kind}
              field={fieldOfDraft(draft)}
              label={t('Default value')}
              value={draft.default}
              onChange={(value) => change({ default: value })}
              error={errorAt('default')}
              place={{ collection: collection.name }}
            />
          </WithHelp>
        )}
        <WithHelp setting="field-name" isDescribed>
          <TextInput
            label={t('API name')}
            description={t('Used in filters and the API. Generated from the name if empty')}
            spellCheck={false}
            autoCapitalize="off"
            className="code-input"
            value={draft.name}
            onChange={({ currentTarget }) => change({ name: currentTarget.value })}
            error={errorAt('name')}
          />
        </WithHelp>
      </div>
    </details>
  )
}

export function UniqueSetting({ draft, change, errorAt }: SettingProps) {
  if (!canChooseUnique(draft)) return null
  const isRelation = draft.kind === 'relation'
  return (
    <WithHelp setting={isRelation ? 'field-linked-once' : 'field-unique'} isDescribed>
      <Checkbox
        label={isRelation ? t('Each record can be linked only once') : t('Unique')}
        description={
          isRelation ? t('No two records can link to the same record') : t('No two records can have the same value')
        }
        checked={draft.unique}
        onChange={({ currentTarget }) => change({ unique: currentTarget.checked })}
        error={errorAt('unique')}
      />
    </WithHelp>
  )
}
