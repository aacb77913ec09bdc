import { DEFINITION_SETTINGS } from './definition-settings.ts'
import { LIST_SETTINGS } from './list-settings.ts'
import { WORKSPACE_SETTINGS } from './workspace-settings.ts'

/** Every setting there is, by its name; what a page lets one set stands here, or does not compile. */
export const SETTINGS = { ...DEFINITION_SETTINGS, ...LIST_SETTINGS, ...WORKSPACE_SETTINGS } as const

/** The name of a setting. */
export type SettingName = keyof typeof SETTINGS
