import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { PROJECT_ROOT } from './project-root.ts'

const packageFile = join(PROJECT_ROOT, 'package.json')

export const VERSION = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(packageFile, 'utf8'))).version
