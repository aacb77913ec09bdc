import type { Template } from '#domain/collections/template.ts'

export const PROJECTS: Template = {
  id: 'projects',
  label: 'Projects',
  purpose: 'Projects and their tasks: owner, deadline, effort and progress.',
  alsoCalled: 'tasks, to-do list, project plan, milestones',
  collections: [
    {
      name: 'projects',
      label: 'Projects',
      icon: 'rocket',
      color: 'violet',
      titleField: 'name',
      fields: [
        { label: 'Name', kind: 'text', required: true },
        {
          label: 'Phase',
          kind: 'select',
          options: {
            choices: [
              { name: 'Planning', color: 'blue' },
              { name: 'Running', color: 'green' },
              { name: 'On hold', color: 'amber' },
              { name: 'Completed', color: 'gray' },
            ],
          },
          default: 'Planning',
        },
        { label: 'Lead', kind: 'user' },
        { label: 'Begins', kind: 'date' },
        { label: 'Ends', kind: 'date' },
        { label: 'Budget', kind: 'number', options: { min: 0, decimals: 2 } },
        { label: 'Goal', kind: 'rich-text' },
        { label: 'Files', kind: 'files' },
      ],
      rules: [
        {
          when: 'ends is not empty',
          then: 'ends >= begins',
          message: 'The end can’t be before the beginning.',
          field: 'ends',
        },
      ],
      views: [{ name: 'By phase', group: 'phase', sort: 'ends', footers: { budget: 'sum' }, hidden: ['goal'] }],
      records: [
        {
          name: 'New website',
          phase: 'Running',
          lead: { person: 'me' },
          begins: { inDays: -30 },
          ends: { inDays: 40 },
          budget: 15000,
          goal: 'Visitors find opening hours and forms within two clicks.',
        },
        {
          name: 'Move to the second floor',
          phase: 'Planning',
          begins: { inDays: 14 },
          ends: { inDays: 60 },
          budget: 6000,
        },
      ],
    },
    {
      name: 'tasks',
      label: 'Tasks',
      icon: 'clipboard-list',
      color: 'teal',
      titleField: 'title',
      fields: [
        { label: 'Title', kind: 'text', required: true },
        {
          label: 'Status',
          kind: 'state',
          options: {
            choices: [
              { name: 'To do', color: 'blue' },
              { name: 'In progress', color: 'amber' },
              { name: 'Blocked', color: 'red' },
              { name: 'Done', color: 'green' },
            ],
          },
        },
        { label: 'Project', kind: 'relation', required: true, options: { collection: 'projects' } },
        { label: 'Owner', kind: 'user' },
        { label: 'Due', kind: 'date' },
        {
          label: 'Priority',
          kind: 'select',
          options: {
            choices: [
              { name: 'Low', color: 'gray' },
              { name: 'Normal', color: 'teal' },
              { name: 'Urgent', color: 'red' },
            ],
          },
          default: 'Normal',
        },
        { label: 'Hours', kind: 'number', options: { min: 0, decimals: 1 } },
        { label: 'Description', kind: 'rich-text' },
        { label: 'Files', kind: 'files' },
      ],
      transitions: [
        { name: 'Start', from: 'To do', to: 'In progress' },
        { name: 'Block', from: 'In progress', to: 'Blocked', note: 'required' },
        { name: 'Go on', from: 'Blocked', to: 'In progress' },
        { name: 'Finish', from: 'In progress', to: 'Done' },
        { name: 'Open again', from: 'Done', to: 'To do', note: 'optional' },
      ],
      rules: [
        {
          when: 'priority = "Urgent"',
          then: 'due is not empty',
          message: 'Urgent tasks need a due date.',
          field: 'due',
        },
      ],
      views: [
        {
          name: 'By status',
          group: 'status',
          sort: 'due',
          hidden: ['description'],
          footers: { hours: 'sum' },
          colors: [{ filter: 'due < @today && status != "Done"', color: 'red', field: 'due' }],
        },
        {
          name: 'By project',
          group: 'project',
          sort: 'status,due',
          hidden: ['description'],
          footers: { hours: 'sum' },
        },
        { name: 'Mine', filter: 'owner = @me && status != "Done"', sort: 'due', hidden: ['description'] },
      ],
      records: [
        {
          title: 'Collect what visitors ask',
          status: 'Done',
          project: 'New website',
          owner: { person: 'me' },
          due: { inDays: -12 },
          hours: 6,
        },
        {
          title: 'Draft the start page',
          status: 'In progress',
          project: 'New website',
          owner: { person: 'me' },
          due: { inDays: 3 },
          priority: 'Urgent',
          hours: 10,
          description: 'Opening hours first.\nOne picture at most.',
        },
        {
          title: 'Translate the forms',
          status: 'Blocked',
          project: 'New website',
          due: { inDays: 10 },
          hours: 8,
        },
        {
          title: 'Measure the rooms',
          status: 'To do',
          project: 'Move to the second floor',
          due: { inDays: 16 },
          priority: 'Low',
          hours: 3,
        },
      ],
    },
  ],
}
