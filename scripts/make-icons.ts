/**
 * `node scripts/make-icons.ts plus arrow-up point-filled`: takes icons out of Tabler's set into `web/ui/icons`, one file
 * each. The set has six thousand, in ninety megabytes that nobody needs who only wants to start Dossier.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where the icons of the interface stand. */
export const ICONS_FOLDER = 'web/ui/icons'

/** An icon as Tabler's set tells it: its elements, each with its attributes. */
type Nodes = readonly (readonly [element: string, attributes: { readonly d?: string }])[]

const FILLED = '-filled'

/** As in biome.json. */
const LINE_WIDTH = 120

const SET_FOLDER = 'node_modules/@tabler/icons'

const setOf = (style: 'outline' | 'filled'): { readonly [name: string]: Nodes } =>
  // The set's own form, and `pathOf` looks at what it takes from it.
  JSON.parse(readFileSync(join(SET_FOLDER, `tabler-nodes-${style}.json`), 'utf8')) as { [name: string]: Nodes }

function pathOf(name: string): string {
  const isFilled = name.endsWith(FILLED)
  const nodes = setOf(isFilled ? 'filled' : 'outline')[isFilled ? name.slice(0, -FILLED.length) : name]
  const paths = nodes?.map(([element, { d }]) => (element === 'path' ? d : undefined))
  if (!paths?.every((path) => path?.startsWith('M'))) throw new Error(`Tabler has no icon “${name}” made of paths.`)
  return paths.join('')
}

/** The file of an icon, as it must stand in the folder. */
export function iconFile(name: string): { readonly file: string; readonly text: string } {
  const exported = `Icon-${name}`.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  const style = name.endsWith(FILLED) ? 'filled' : 'outlined'
  const begin = `export const ${exported} = ${style}(`
  const path = `'${pathOf(name)}'`
  const isShort = begin.length + path.length < LINE_WIDTH
  const drawing = isShort ? `${begin}${path})` : `${begin}\n  ${path},\n)`
  const lines = [`import { ${style} } from './draw-icon.tsx'`, '', `/** “${name}” of Tabler. */`, drawing, '']
  return { file: join(ICONS_FOLDER, `icon-${name}.ts`), text: lines.join('\n') }
}

if (import.meta.main) {
  for (const { file, text } of process.argv.slice(2).map(iconFile)) writeFileSync(file, text)
}
