/** What a setting does and its default. */
export type SettingHelp = { readonly label: string; readonly place: string; readonly text: string }
