import type { Template } from '#domain/templates/template.ts'
import { APPLICANTS } from './applicants.ts'
import { ASSETS } from './assets.ts'
import { CASES } from './cases.ts'
import { EDITORIAL } from './editorial.ts'
import { RESEARCH_SAMPLES } from './research-samples.ts'

/** The templates, in the order in which they are offered. */
export const TEMPLATES: readonly Template[] = [CASES, ASSETS, APPLICANTS, RESEARCH_SAMPLES, EDITORIAL]
