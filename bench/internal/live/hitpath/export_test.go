package hitpath

// LacksSHAIn lets tests say what a processor is like.
var LacksSHAIn = lacksSHA
