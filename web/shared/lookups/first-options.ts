import { DROPDOWN } from '#domain/specification.ts'
import type { FoundOptions } from '#web/ui/dropdown/option.tsx'

const PER_PAGE = 500

/** Uses the total that `read` reports. */
export async function firstOptions(
  read: (page: number, perPage: number) => Promise<FoundOptions>,
): Promise<FoundOptions> {
  const first = await read(1, PER_PAGE)
  const options = [...first.options]
  let { length } = first.options
  for (let page = 2; length === PER_PAGE && options.length < DROPDOWN.optionLimit; page += 1) {
    const next = await read(page, PER_PAGE)
    options.push(...next.options)
    ;({ length } = next.options)
  }
  return { ...first, options }
}
