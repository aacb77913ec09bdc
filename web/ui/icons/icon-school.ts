import { outlined } from './draw-icon.tsx'

/** “school” of Tabler. */
export const IconSchool = outlined('M22 9l-10 -4l-10 4l10 4l10 -4v6M6 10.6v5.4a6 3 0 0 0 12 0v-5.4')
