import { TagsInput } from '@mantine/core'
import { LimitInput, withOption } from '../options-inputs.tsx'
import type { OptionsProps } from '../part-props.ts'

/** What people put in most often; anything else can be typed. */
const USUAL_TYPES = ['image/*', 'application/pdf', 'text/csv', 'audio/*', 'video/*']

/** A megabyte as file managers count it. */
const MEGABYTE = 1_000_000

/** How many files, of which types, and how large. */
export function FilesOptionsForm({ options, onChange, errorAt }: OptionsProps<'files'>) {
  const { max, accept = [], maxBytes } = options
  return (
    <>
      <div className="option-pair">
        <LimitInput
          label="Most files"
          value={max}
          onChange={(value) => onChange(withOption(options, 'max', value))}
          error={errorAt('options.max')}
        />
        <LimitInput
          label="Largest file, in MB"
          value={maxBytes === undefined ? undefined : maxBytes / MEGABYTE}
          isAnyNumber
          onChange={(value) =>
            onChange(withOption(options, 'maxBytes', value === undefined ? undefined : Math.round(value * MEGABYTE)))
          }
          error={errorAt('options.maxBytes')}
        />
      </div>
      <TagsInput
        label="Accepted types"
        description="Such as image/* or application/pdf; empty for any"
        data={USUAL_TYPES}
        value={[...accept]}
        onChange={(types) => onChange(withOption(options, 'accept', types.length === 0 ? undefined : types))}
        error={errorAt('options.accept')}
      />
    </>
  )
}
