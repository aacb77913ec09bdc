import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { fieldInput } from '#api/collections.ts'
import { COLLECTION_ICONS } from '#domain/collections/collection-appearance.ts'
import { OPTION_COLORS } from '#domain/fields/field.ts'
import { PROJECT_ROOT } from '#server/project-root.ts'

const SAMPLES = join(PROJECT_ROOT, 'samples')

const PICTURES = 'attachments'

const sampleCollection = z.object({
  name: z.string(),
  label: z.string(),
  icon: z.enum(COLLECTION_ICONS),
  color: z.enum(OPTION_COLORS),
  group: z.string(),
  file: z.string(),
  titleField: z.string(),
  /** `column`: the CSV header that fills the field. */
  fields: z.array(
    fieldInput.extend({ column: z.string().optional() }).transform(({ column, ...field }) => ({ column, field })),
  ),
  /** Records by title. */
  [PICTURES]: z.array(z.object({ record: z.string(), field: z.string(), file: z.string(), name: z.string() })),
  /** Rich text by language. */
  documents: z.array(z.object({ record: z.string(), field: z.string(), document: z.looseObject({ en: z.unknown() }) })),
})

export type SampleCollection = z.infer<typeof sampleCollection> & {
  readonly pictures: z.infer<typeof sampleCollection>[typeof PICTURES]
}

/** In dependency order: linked collections come first. */
export async function readSampleDescription(): Promise<readonly SampleCollection[]> {
  const text = await readFile(join(SAMPLES, 'workspace.json'), 'utf8')
  const { collections } = z.object({ collections: z.array(sampleCollection) }).parse(JSON.parse(text))
  return collections.map((each) => ({ ...each, pictures: each[PICTURES] }))
}

export const samplePath = (file: string): string => join(SAMPLES, file)
