import { Checkbox, Switch } from '@mantine/core'
import { acceptFault, FILE_TYPE_GROUPS, type FileTypeGroup } from '#domain/uploads/file-type-groups.ts'
import { DEFAULT_MAX_BYTES } from '#domain/uploads/upload.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { TagsInput } from '#web/ui/dropdown/tags-input.tsx'
import { t } from '#web/i18n/t.ts'
import { LimitInput, withOption } from '#web/field-kinds/limit-input.tsx'
import type { OptionsProps } from '#web/field-kinds/field-kind.ts'
import './options.css'

/** Accepted file types in the form: presets and individual types. */
type AcceptedTypesDraft = {
  readonly ticked: readonly string[]
  /** Presets included in another selected preset, for example PDF in Documents. */
  readonly held: readonly string[]
  readonly own: readonly string[]
}

const isWithin = (types: readonly string[], others: readonly string[]): boolean =>
  types.every((type) => others.includes(type))

export function parseAcceptedTypes(accept: readonly string[]): AcceptedTypesDraft {
  const ticked = FILE_TYPE_GROUPS.filter((preset) => isWithin(preset.accept, accept))
  const isHeld = (preset: FileTypeGroup): boolean =>
    ticked.some((other) => other !== preset && isWithin(preset.accept, other.accept))
  const covered = new Set(ticked.flatMap((preset) => preset.accept))
  return {
    ticked: ticked.map(({ name }) => name),
    held: ticked.filter(isHeld).map(({ name }) => name),
    own: accept.filter((entry) => !covered.has(entry)),
  }
}

/** An empty list accepts any file. */
export function printAcceptedTypes({ ticked, own }: Pick<AcceptedTypesDraft, 'ticked' | 'own'>): readonly string[] {
  const types = FILE_TYPE_GROUPS.filter(({ name }) => ticked.includes(name)).flatMap(({ accept }) => accept)
  return [...new Set([...types, ...own])]
}

const MEGABYTE = 1_000_000

export function FilesOptionsForm({ options, onChange, errorAt }: OptionsProps<'files'>) {
  const { max, maxBytes, stripLocation = false } = options
  return (
    <>
      <div className="option-pair">
        <LimitInput
          label={t('Maximum number of files')}
          value={max}
          onChange={(value) => onChange(withOption(options, 'max', value))}
          error={errorAt('options.max')}
        />
        <LimitInput
          label={t('Maximum file size (MB)')}
          unsaid={String(DEFAULT_MAX_BYTES / MEGABYTE)}
          value={maxBytes === undefined ? undefined : maxBytes / MEGABYTE}
          isAnyNumber
          onChange={(value) =>
            onChange(withOption(options, 'maxBytes', value === undefined ? undefined : Math.round(value * MEGABYTE)))
          }
          error={errorAt('options.maxBytes')}
        />
      </div>
      <AcceptedTypes options={options} onChange={onChange} errorAt={errorAt} />
      <WithHelp setting="field-strip-location" isDescribed>
        <Switch
          label={t('Remove location data (GPS) from photos')}
          description={t(
            'Removes the location (GPS) from photos before they are saved. Videos and documents aren’t changed.',
          )}
          checked={stripLocation}
          onChange={({ currentTarget }) =>
            onChange(withOption(options, 'stripLocation', currentTarget.checked ? true : undefined))
          }
        />
      </WithHelp>
    </>
  )
}

function AcceptedTypes({ options, onChange, errorAt }: Omit<OptionsProps<'files'>, 'isStored'>) {
  const { accept = [] } = options
  const { ticked, held, own } = parseAcceptedTypes(accept)
  const give = (draft: { readonly ticked: readonly string[]; readonly own: readonly string[] }) => {
    const types = printAcceptedTypes(draft)
    onChange(withOption(options, 'accept', types.length === 0 ? undefined : types))
  }
  const tick = (names: readonly string[]) => {
    const isLess = names.length < ticked.length
    // Also removes presets that were selected only as part of the removed one.
    give({ ticked: isLess ? names.filter((name) => !held.includes(name)) : names, own })
  }
  return (
    <>
      <WithHelp setting="field-file-types">
        <Checkbox.Group
          label={t('Accepted files')}
          description={t('Leave empty to allow any file')}
          value={[...ticked]}
          onChange={tick}
        >
          <div className="accepted-types">
            {FILE_TYPE_GROUPS.map(({ name, label }) => (
              <Checkbox key={name} value={name} label={label} disabled={held.includes(name)} />
            ))}
          </div>
        </Checkbox.Group>
      </WithHelp>
      <WithHelp setting="field-file-types" isDescribed>
        <TagsInput
          label={t('Other types')}
          description={t('Extensions like .dwg, types like application/zip, wildcards like font/*')}
          value={[...own]}
          onChange={(types) => give({ ticked, own: types })}
          error={own.map(acceptFault).find((fault) => fault !== undefined) ?? errorAt('options.accept')}
        />
      </WithHelp>
    </>
  )
}
