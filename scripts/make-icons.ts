/**
 * `node scripts/make-icons.ts plus point-filled >> web/ui/icons/general.ts` prints Tabler icons as components:
 * `IconPlus`, `IconPointFilled`. The full package has six thousand icons (90 MB), so only the icons in use are in the
 * repository.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The SVG elements of a Tabler icon with their attributes. */
type Nodes = readonly (readonly [element: string, attributes: { readonly d?: string }])[]

const FILLED = '-filled'

/** Same as `lineWidth` in biome.json. */
const LINE_WIDTH = 120

const SET_FOLDER = 'node_modules/@tabler/icons'

const setOf = (style: 'outline' | 'filled'): { readonly [name: string]: Nodes } =>
  // `pathOf` validates the content.
  JSON.parse(readFileSync(join(SET_FOLDER, `tabler-nodes-${style}.json`), 'utf8')) as { [name: string]: Nodes }

function pathOf(name: string): string {
  const isFilled = name.endsWith(FILLED)
  const nodes = setOf(isFilled ? 'filled' : 'outline')[isFilled ? name.slice(0, -FILLED.length) : name]
  const paths = nodes?.map(([element, { d }]) => (element === 'path' ? d : undefined))
  if (!paths?.every((path) => path?.startsWith('M'))) throw new Error(`Tabler has no icon “${name}” made of paths.`)
  return paths.join('')
}

/** Returns the source of `IconArrowUp` for `arrow-up`. */
export function iconSource(name: string): string {
  const exported = `Icon-${name}`.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  const start = `export const ${exported} = ${name.endsWith(FILLED) ? 'filled' : 'outlined'}(`
  const path = `'${pathOf(name)}'`
  const isShort = start.length + path.length < LINE_WIDTH
  return `${start}${isShort ? path : `\n  ${path},\n`})`
}

if (import.meta.main) console.log(`\n${process.argv.slice(2).map(iconSource).join('\n')}`)
